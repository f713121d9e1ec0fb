// SPDX-License-Identifier: GPL-3.0-or-later
/* Keeps the page for use without network: the newest copy that the network gave, else the kept one. The first visit begins
 * before this script runs, so the page is fetched once more then. */
async function fetchAndKeep(request) {
    const cache = await caches.open('palimpsest'), answer = await fetch(request);
    if (answer.ok && !answer.redirected) // no error pages; and browsers refuse a redirected answer as a page
        await cache.put('page', answer.clone()).catch(() => {}); // no space: the old copy stays
    return answer;
}

self.addEventListener('install', event => {
    self.skipWaiting();
    event.waitUntil(fetchAndKeep('index.html'));
});
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', event => {
    const address = event.request.url.split(/[?#]/)[0], { scope } = self.registration;
    const isPage = address === scope || address === scope + 'index.html'; // a site may have others in the same folder
    if (event.request.mode === 'navigate' && isPage)
        event.respondWith(fetchAndKeep(event.request)
            .catch(async () => await caches.match('page') || Response.error()));
});

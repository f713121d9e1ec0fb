// SPDX-License-Identifier: GPL-3.0-or-later
/* Keeps the page for use without network: the newest copy that the network gave, else the kept one. */
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', event => {
    if (event.request.mode !== 'navigate')
        return;
    event.respondWith(caches.open('palimpsest').then(async cache => {
        try {
            const answer = await fetch(event.request);
            await cache.put('page', answer.clone());
            return answer;
        } catch (error) {
            return await cache.match('page') || Response.error();
        }
    }));
});

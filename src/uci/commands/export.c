// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands for developers that write out a part of the program: `export_net` and `tunables`. */
#include "uci/commands/run.h"

#include "base/text.h"
#include "nnue/network.h"
#include "search/params.h"

/* Default file name: the network's own name and `.nnue`. */
void run_export_net(Session *session, char *arguments)
{
    char error[NETWORK_ERROR_MAX], name[NETWORK_NAME_MAX], own_path[NETWORK_NAME_MAX + 8];
    const char *path = text_unquote(arguments);
    const Network *const network = network_embedded(error);
    if (network == NULL) {
        session_fail(session, "export_net: no network is built in");
        return;
    }
    if (*path == '\0') {
        network_name(network, name);
        snprintf(own_path, sizeof own_path, "%s.nnue", name);
        path = own_path;
    }
    if (session_keeps_file(session, "export_net", path))
        return;
    if (network_save(network, path, error))
        output_line(&session->out, "info string the network is in '%s'", path);
    else
        session_fail(session, "export_net: '%s' %s", path, error);
}

/* One line for each parameter in the format of SPSA tuners: name, type, start, least, greatest,
 * final step (a twentieth of the range), final learning rate. */
void run_tunables(Session *session, char *arguments)
{
    (void)arguments;
    if (!params_are_tunable) {
        session_fail(session, "tunables: only in palimpsest-tune (make tune)");
        return;
    }
    StrBuf buf = {0};
    int count;
    const ParamRange *const list = params_list(&count);
    for (int i = 0; i < count; i++)
        strbuf_add(&buf, "%s, int, %d, %d, %d, %.2f, 0.002\n", list[i].name, list[i].value,
                   list[i].min, list[i].max, (list[i].max - list[i].min) / 20.0);
    output_block(&session->out, &buf);
}

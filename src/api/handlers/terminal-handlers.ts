/** Handles the endpoints of terminals. */
import { ok } from "neverthrow";
import type { TERMINAL_ENDPOINTS } from "../../contract/endpoints/worktree.ts";
import type { ApiOptions } from "../http/api-options.ts";
import { terminalSource } from "../streams/terminal-stream.ts";
import { type Handlers, shown } from "./handler.ts";

export function terminalHandlers({
  pingMs = 15_000,
}: Pick<ApiOptions, "pingMs">): Handlers<typeof TERMINAL_ENDPOINTS> {
  return {
    openTerminal: ({ services, id, request, outside }) =>
      services.openTerminal({ ...request, attempt: id, outside }),
    followTerminal: ({ services, id, outside, request: { after } }) =>
      shown(services.terminal({ id, outside }), ({ read }) => terminalSource({ read, after, pingMs })),
    typeInTerminal: async ({ services, id, outside, request }) => {
      const found = await services.terminal({ id, outside });
      if (found.isOk()) await found.value.write(request.data);
      return found.andThen(() => ok({ id }));
    },
    resizeTerminal: async ({ services, id, outside, request }) => {
      const found = await services.terminal({ id, outside });
      if (found.isOk()) await found.value.resize(request);
      return found.andThen(() => ok({ id }));
    },
    closeTerminal: async ({ services, id, outside }) => {
      const found = await services.terminal({ id, outside });
      if (found.isOk()) await found.value.end();
      return found.andThen(() => ok({ id }));
    },
  };
}

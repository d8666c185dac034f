/** Handles the endpoints of repositories, agents, settings and scripts to trust. */
import type { REPOSITORY_ENDPOINTS } from "../../contract/endpoints/repositories.ts";
import { showRepository } from "../documents/show-task.ts";
import { type Handlers, listOf, shown } from "./handler.ts";

export const repositoryHandlers: Handlers<typeof REPOSITORY_ENDPOINTS> = {
  repositories: ({ services }) =>
    shown(
      services.repositories(),
      listOf(({ demo, putAway, worker = null, ...repository }) => ({
        ...showRepository(repository),
        demo,
        put_away: putAway,
        worker,
      })),
    ),
  addRepository: ({ services, request, gone }) =>
    shown(
      request.url === undefined
        ? services.addRepository(request.path ?? "")
        : services.cloneRepository(request.url, gone),
      showRepository,
    ),
  moveRepository: ({ services, id, request }) =>
    shown(services.moveRepository(id, request.path), showRepository),
  removeRepository: ({ services, id }) =>
    shown(services.removeRepository(id), ({ repository, ...left }) => ({
      repository: showRepository(repository),
      ...left,
    })),
  fetchRepository: ({ services, id, gone }) => services.fetchRepository(id, gone),
  branches: ({ services, id, request }) => services.branches({ ...request, id }),
  files: ({ services, id, request }) => services.files({ ...request, id }),
  agents: ({ services, request }) => shown(services.agents(request), listOf(same)),
  doctor: ({ services, request }) => shown(services.doctor(request), (findings) => ({ findings })),
  config: ({ services, request }) => shown(services.config(request), listOf(same)),
  configSchema: ({ services }) => services.configSchema(),
  changeSetting: ({ services, request: { value, unset, ...change }, caller }) =>
    services.changeSetting({
      ...change,
      value: unset ? null : JSON.stringify(value ?? null),
      from: caller === "program" ? "person" : "page",
    }),
  scripts: ({ services, request }) => shown(services.scripts(request), listOf(same)),
  trust: ({ services, request }) => shown(services.trust(request), listOf(same)),
};

function same<T>(item: T): T {
  return item;
}

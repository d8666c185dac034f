/** The one table of screens and their addresses. A screen is loaded when it is opened, or when its link is near. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from "@tanstack/react-router";
import { loadPart } from "./data/load-part.ts";
import { NotFound, ScreenFault } from "./features/shell/faults.tsx";
import { loadWords, type WordSet } from "./i18n/i18n.ts";
import { FleetRoute } from "./routes/fleet.tsx";
import { RootRoute } from "./routes/root.tsx";
import {
  activitySearch,
  attemptSearch,
  compareSearch,
  fleetSearch,
  newTaskSearch,
  reviewSearch,
  storageSearch,
} from "./routes/search.ts";

const root = createRootRoute({
  component: RootRoute,
  notFoundComponent: NotFound,
  errorComponent: ScreenFault,
});
/** A screen with its words, loaded together. */
function screen<Module extends Record<Name, RouteComponent>, Name extends string>(
  load: () => Promise<Module>,
  name: Name,
  ...words: readonly WordSet[]
) {
  return lazyRouteComponent(async () => {
    const [module] = await loadPart(() => Promise.all([load(), loadWords(...words)]));
    return module;
  }, name);
}

const at = { getParentRoute: () => root } as const;

const routeTree = root.addChildren([
  createRoute({ ...at, path: "/", component: FleetRoute, validateSearch: fleetSearch }),
  createRoute({
    ...at,
    path: "/tasks/new",
    component: screen(() => import("./routes/new-task.tsx"), "NewTaskRoute", "engine"),
    validateSearch: newTaskSearch,
  }),
  createRoute({
    ...at,
    path: "/tasks/$id",
    component: screen(() => import("./routes/compare.tsx"), "CompareRoute", "work", "decide"),
    validateSearch: compareSearch,
  }),
  createRoute({
    ...at,
    path: "/attempts/$id",
    component: screen(() => import("./routes/attempt.tsx"), "AttemptRoute", "work"),
    validateSearch: attemptSearch,
  }),
  createRoute({
    ...at,
    path: "/attempts/$id/review",
    component: screen(() => import("./routes/review.tsx"), "ReviewRoute", "work", "decide"),
    validateSearch: reviewSearch,
  }),
  createRoute({
    ...at,
    path: "/attempts/$id/ship",
    component: screen(() => import("./routes/ship.tsx"), "ShipRoute", "work", "decide"),
  }),
  createRoute({
    ...at,
    path: "/activity",
    component: screen(() => import("./routes/activity.tsx"), "ActivityRoute", "engine"),
    validateSearch: activitySearch,
  }),
  createRoute({
    ...at,
    path: "/storage",
    component: screen(() => import("./routes/storage.tsx"), "StorageRoute", "engine"),
    validateSearch: storageSearch,
  }),
  createRoute({
    ...at,
    path: "/settings",
    component: screen(() => import("./routes/settings.tsx"), "SettingsRoute", "engine", "questions"),
  }),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  scrollRestoration: true,
  // The frame stays around a screen that failed.
  defaultErrorComponent: ScreenFault,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

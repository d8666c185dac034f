/** The one table of screens and their addresses. A screen is loaded when it is opened, or when its link is near. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from "@tanstack/react-router";
import { NotFound, ScreenFault } from "./features/shell/faults.tsx";
import { loadWords } from "./i18n/i18n.ts";
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
) {
  return lazyRouteComponent(async () => {
    const [module] = await Promise.all([load(), loadWords()]);
    return module;
  }, name);
}

const at = { getParentRoute: () => root } as const;

const routeTree = root.addChildren([
  createRoute({ ...at, path: "/", component: FleetRoute, validateSearch: fleetSearch }),
  createRoute({
    ...at,
    path: "/tasks/new",
    component: screen(() => import("./routes/new-task.tsx"), "NewTaskRoute"),
    validateSearch: newTaskSearch,
  }),
  createRoute({
    ...at,
    path: "/tasks/$id",
    component: screen(() => import("./routes/compare.tsx"), "CompareRoute"),
    validateSearch: compareSearch,
  }),
  createRoute({
    ...at,
    path: "/attempts/$id",
    component: screen(() => import("./routes/attempt.tsx"), "AttemptRoute"),
    validateSearch: attemptSearch,
  }),
  createRoute({
    ...at,
    path: "/attempts/$id/review",
    component: screen(() => import("./routes/review.tsx"), "ReviewRoute"),
    validateSearch: reviewSearch,
  }),
  createRoute({
    ...at,
    path: "/attempts/$id/ship",
    component: screen(() => import("./routes/ship.tsx"), "ShipRoute"),
  }),
  createRoute({
    ...at,
    path: "/activity",
    component: screen(() => import("./routes/activity.tsx"), "ActivityRoute"),
    validateSearch: activitySearch,
  }),
  createRoute({
    ...at,
    path: "/storage",
    component: screen(() => import("./routes/storage.tsx"), "StorageRoute"),
    validateSearch: storageSearch,
  }),
  createRoute({
    ...at,
    path: "/settings",
    component: screen(() => import("./routes/settings.tsx"), "SettingsRoute"),
  }),
]);

export const router = createRouter({ routeTree, defaultPreload: "intent", scrollRestoration: true });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

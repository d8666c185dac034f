/** The one table of screens and their addresses. A screen is loaded when it is opened, or when its link is near. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { NotFound, ScreenFault } from "./features/shell/faults.tsx";
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
const at = { getParentRoute: () => root } as const;

const routeTree = root.addChildren([
  createRoute({ ...at, path: "/", component: FleetRoute, validateSearch: fleetSearch }),
  createRoute({
    ...at,
    path: "/tasks/new",
    component: lazyRouteComponent(() => import("./routes/new-task.tsx"), "NewTaskRoute"),
    validateSearch: newTaskSearch,
  }),
  createRoute({
    ...at,
    path: "/tasks/$id",
    component: lazyRouteComponent(() => import("./routes/compare.tsx"), "CompareRoute"),
    validateSearch: compareSearch,
  }),
  createRoute({
    ...at,
    path: "/attempts/$id",
    component: lazyRouteComponent(() => import("./routes/attempt.tsx"), "AttemptRoute"),
    validateSearch: attemptSearch,
  }),
  createRoute({
    ...at,
    path: "/attempts/$id/review",
    component: lazyRouteComponent(() => import("./routes/review.tsx"), "ReviewRoute"),
    validateSearch: reviewSearch,
  }),
  createRoute({
    ...at,
    path: "/attempts/$id/ship",
    component: lazyRouteComponent(() => import("./routes/ship.tsx"), "ShipRoute"),
  }),
  createRoute({
    ...at,
    path: "/activity",
    component: lazyRouteComponent(() => import("./routes/activity.tsx"), "ActivityRoute"),
    validateSearch: activitySearch,
  }),
  createRoute({
    ...at,
    path: "/storage",
    component: lazyRouteComponent(() => import("./routes/storage.tsx"), "StorageRoute"),
    validateSearch: storageSearch,
  }),
  createRoute({
    ...at,
    path: "/settings",
    component: lazyRouteComponent(() => import("./routes/settings.tsx"), "SettingsRoute"),
  }),
]);

export const router = createRouter({ routeTree, defaultPreload: "intent", scrollRestoration: true });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

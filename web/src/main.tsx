/** Begins the control room: the cache, the live connection, the screens. */
import "./app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./data/query-client.ts";
import { listenToKeys } from "./features/keys/keys.ts";
import { listenToMovedPresses } from "./features/keys/moved-presses.ts";
import { ConnectionProvider } from "./features/shell/connection.tsx";
import { router } from "./router.tsx";
import { part } from "./ui/loaded/part.tsx";
import { Toasts } from "./ui/toast.tsx";

/** Nobody reads a hint before the first screen is there. */
const Hints = part(async () => (await import("./ui/over/hints.tsx")).Hints);

listenToKeys();
listenToMovedPresses();

const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <ConnectionProvider>
          <RouterProvider router={router} />
          <Toasts />
          <Hints />
        </ConnectionProvider>
      </QueryClientProvider>
    </StrictMode>,
  );

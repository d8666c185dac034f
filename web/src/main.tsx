/** Begins the control room: the cache, the live connection, the screens. */
import "./app.css";
import "./i18n/i18n.ts";
import { Tooltip } from "@base-ui/react/tooltip";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { api } from "./data/api.ts";
import { createQueryClient } from "./data/query-client.ts";
import { listenToKeys } from "./features/keys/keys.ts";
import { ConnectionProvider } from "./features/shell/connection.tsx";
import { router } from "./router.tsx";
import { Toasts } from "./ui/toast.tsx";

// A part of an older page is gone after an upgrade: the new page has it. Without a server there is no page to load.
addEventListener("vite:preloadError", async () => {
  const health = await api.health();
  if (health.isOk()) location.reload();
});
listenToKeys();

const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <ConnectionProvider>
          <Tooltip.Provider delay={400}>
            <Toasts>
              <RouterProvider router={router} />
            </Toasts>
          </Tooltip.Provider>
        </ConnectionProvider>
      </QueryClientProvider>
    </StrictMode>,
  );

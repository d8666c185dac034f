/** Builds the control room into `dist/web`, from where the server sends it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type ProxyOptions } from "vite";

const home = fileURLToPath(new URL("..", import.meta.url));
const outDir = join(home, "dist", "web");
const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };

interface BunLike {
  gzipSync(bytes: Uint8Array, how: { readonly library: "libdeflate"; readonly level: 12 }): Uint8Array;
}
const { Bun } = globalThis as { readonly Bun?: BunLike };

/** Bun, under which `npm start` builds, makes files that are a thirtieth smaller than those of zlib. */
const compress = (bytes: Uint8Array): Uint8Array =>
  Bun?.gzipSync(bytes, { library: "libdeflate", level: 12 }) ?? gzipSync(bytes, { level: 9 });

/** Writes a compressed copy beside each text file, so that the server never compresses. */
function compressed(): Plugin {
  return {
    name: "tazuna-compressed",
    closeBundle() {
      for (const name of readdirSync(outDir, { recursive: true, encoding: "utf8" }))
        if (/\.(js|css|html|svg|webmanifest)$/.test(name)) {
          const path = join(outDir, name);
          writeFileSync(`${path}.gz`, compress(readFileSync(path)));
        }
    },
  };
}

/** While Vite serves the page, the server sees requests as if they came from its own. */
function toServer(): ProxyOptions {
  const target = "http://127.0.0.1:7460";
  return {
    target,
    changeOrigin: true,
    configure: (proxy) =>
      proxy.on("proxyReq", (request) => {
        if (request.hasHeader("origin")) request.setHeader("origin", target);
      }),
  };
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), tailwind(), compressed()],
  define: { __VERSION__: JSON.stringify(version) },
  resolve: { alias: { "@contract": join(home, "src", "contract") } },
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2024",
    assetsInlineLimit: 0,
    // What the first screen needs is one file: many small ones compress worse.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] } },
    },
  },
  worker: { format: "es" },
  server: { proxy: { "/api": toServer(), "/sign-in": toServer() } },
});

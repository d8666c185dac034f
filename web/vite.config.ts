/** Builds the control room into `dist/web`, from where the server sends it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type ProxyOptions } from "vite";

const home = fileURLToPath(new URL("..", import.meta.url));
const outDir = join(home, "dist", "web");
const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };

/** The best quality takes three times as long for a hundredth less. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** Writes a compressed copy beside each text file, so that the server never compresses. */
function compressed(): Plugin {
  return {
    name: "tazuna-compressed",
    closeBundle() {
      for (const name of readdirSync(outDir, { recursive: true, encoding: "utf8" }))
        if (/\.(js|css|html|svg|webmanifest)$/.test(name)) {
          const path = join(outDir, name);
          writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path), BROTLI));
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

/** Makes certificates for tests, as a person makes one for a machine of their own. */
import { join } from "node:path";

export interface TestCertificate {
  /** Absolute paths of PEM files. */
  readonly cert: string;
  readonly key: string;
}

export const OPENSSL = Bun.which("openssl");

/** `names` as openssl writes them, such as `DNS:box.test,IP:127.0.0.2`; empty for none. */
export async function makeCertificate(
  folder: string,
  { names, days = 2 }: { readonly names: string; readonly days?: number },
): Promise<TestCertificate> {
  const id = crypto.randomUUID();
  const [cert, key] = [join(folder, `${id}.crt`), join(folder, `${id}.key`)];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const alternative = names === "" ? [] : ["-addext", `subjectAltName=${names}`];
  const made = Bun.spawn(
    [
      ...["openssl", "req", "-x509", ...curve, "-keyout", key, "-out", cert],
      ...["-days", String(days), "-subj", "/CN=test", ...alternative],
    ],
    { stdout: "ignore", stderr: "pipe" },
  );
  if ((await made.exited) !== 0) throw new Error(await new Response(made.stderr).text());
  return { cert, key };
}

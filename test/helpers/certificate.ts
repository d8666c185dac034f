/** Makes certificates for tests, as a person makes one for a machine of their own. */
import { join } from "node:path";
import { fakeTime } from "./fake-time.ts";

export interface TestCertificate {
  /** Absolute paths of PEM files. */
  readonly cert: string;
  readonly key: string;
}

export const OPENSSL = Bun.which("openssl");

const HOUR_AGO = fakeTime.library === null ? {} : { LD_PRELOAD: fakeTime.library, FAKETIME: "-1h" };

interface CertificateOptions {
  /** As openssl writes them, such as `DNS:box.test,IP:127.0.0.2`; empty for none. */
  readonly names: string;
  readonly days?: number;
  /** Whether it is valid since an hour ago, if this machine has what makes a clock wrong. Openssl has no word for it. */
  readonly isOld?: boolean;
}

export async function makeCertificate(
  folder: string,
  { names, days = 2, isOld = false }: CertificateOptions,
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
    { stdout: "ignore", stderr: "pipe", env: { ...process.env, ...(isOld ? HOUR_AGO : {}) } },
  );
  if ((await made.exited) !== 0) throw new Error(await new Response(made.stderr).text());
  return { cert, key };
}

/** Knows the services of one context by name, and stops them all when the context is closed. */
import { err, ok, type Result } from "neverthrow";
import type { SharedKey } from "../core/kept-things.ts";
import { failure, type ToolRefusal } from "../core/result.ts";
import { canceled } from "../exec/exec_command/start_refusal.ts";
import type { Service } from "./service.ts";
import type { ServiceRecord } from "./service-record.ts";

export interface Services {
  /** Starts one under a name and a port that no living service has. Returns the refusal of `start` unchanged. */
  start(
    wanted: { readonly name: string; readonly port: number | null },
    start: () => Promise<Result<Service, ToolRefusal>>,
  ): Promise<Result<Service, ToolRefusal>>;
  /** A living or ended service. If it is just starting, this waits for it. `NOT_FOUND` names the existing ones. */
  find(name: string): Promise<Result<Service, ToolRefusal>>;
  /** In the order in which they were started. */
  records(): readonly ServiceRecord[];
}

/** The most living services of one context, and the most ended ones that are remembered. */
const MAX_SERVICES = 16;
/** Between TERM and KILL when the context is closed. */
const CLOSING_GRACE_MS = 500;

interface Place {
  readonly port: number | null;
  /** Null until it is started. */
  service: Service | null;
  starting: Promise<unknown>;
}

interface OpenServices extends Services {
  close(): Promise<void>;
}

export const servicesOfContext: SharedKey<OpenServices> = {
  name: "services",
  make: createServices,
  close: (services) => services.close(),
};

function createServices(): OpenServices {
  const places = new Map<string, Place>();
  let closed = false;

  const start: Services["start"] = async (wanted, startOne) => {
    if (closed) return err(canceled("The toolkit was closed."));
    const refused = refusalOf(wanted, places);
    if (refused !== null) return err(refused);
    const place: Place = { port: wanted.port, service: null, starting: Promise.resolve() };
    const starting = startOne().then((started) => {
      if (started.isOk()) place.service = started.value;
      return started;
    });
    place.starting = starting;
    places.delete(wanted.name);
    places.set(wanted.name, place);
    try {
      return await starting;
    } finally {
      if (place.service === null) places.delete(wanted.name);
      forgetOldest(places);
    }
  };

  const close = async (): Promise<void> => {
    closed = true;
    const stopped = [...places.values()].map(async (place) => {
      await place.starting.catch(() => {});
      await place.service?.stop({ graceMs: CLOSING_GRACE_MS });
    });
    await Promise.all(stopped);
  };

  return {
    start,
    close,
    find: async (name) => {
      const place = places.get(name);
      await place?.starting.catch(() => {});
      if (place?.service) return ok(place.service);
      const known = [...places].flatMap(([other, { service }]) => (service === null ? [] : [other]));
      return err(notFound(name, known));
    },
    records: () => [...places.values()].flatMap(({ service }) => service?.record() ?? []),
  };
}

/** Null if the name and the port are free, and there is room. */
function refusalOf(
  { name, port }: { readonly name: string; readonly port: number | null },
  places: ReadonlyMap<string, Place>,
): ToolRefusal | null {
  const living = [...places].filter(([, { service }]) => service?.hasEnded() !== true);
  if (living.some(([other]) => other === name))
    return failure(
      "NAME_IN_USE",
      `A service called ${name} is running already; stop it first, or take another name.`,
    );
  const holder = port === null ? undefined : living.find(([, place]) => place.port === port)?.[0];
  if (holder !== undefined) return portInUse(port, `the service ${holder}`);
  if (living.length < MAX_SERVICES) return null;
  return failure("TOO_MANY_SERVICES", `${MAX_SERVICES} services are running already; stop one first.`, {
    details: { running: living.map(([other]) => other) },
  });
}

function notFound(name: string, known: readonly string[]): ToolRefusal {
  const names = known.length === 0 ? "there are none" : `there are ${known.join(", ")}`;
  return failure("NOT_FOUND", `There is no service called ${name}; ${names}.`, { details: { known } });
}

export function portInUse(port: number | null, by: string): ToolRefusal {
  return failure("PORT_IN_USE", `Port ${port} is taken already, by ${by}.`, {
    retriable: true,
    details: { port },
  });
}

function forgetOldest(places: Map<string, Place>): void {
  const ended = [...places].filter(([, { service }]) => service?.hasEnded() === true);
  for (const [name] of ended.slice(0, Math.max(0, ended.length - MAX_SERVICES))) places.delete(name);
}

/** Defines what `list_services` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { contractOf } from "../../core/definition.ts";
import { serviceRecord } from "../service-record.ts";

const listServicesInput = z.strictObject({});

const listServicesOutput = z.strictObject({
  services: z.array(serviceRecord).describe("In the order in which they were started, ended ones too."),
});

export type ListServicesOutput = z.output<typeof listServicesOutput>;

export const LIST_SERVICES_CONTRACT = contractOf({
  name: "list_services",
  description: "Lists the services that spawn_service started, with their state, port and exit code.",
  input: listServicesInput,
  output: listServicesOutput,
  codes: {},
});

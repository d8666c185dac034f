/** Checks that `list_services` is asked for nothing, and says what it answers. */
import { z } from "zod";
import { serviceRecord } from "../service-record.ts";

export const listServicesInput = z.strictObject({});

export const listServicesOutput = z.strictObject({
  services: z.array(serviceRecord).describe("In the order in which they were started, ended ones too."),
});

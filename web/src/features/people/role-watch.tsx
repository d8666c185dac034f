/** Follows who looks at this page. By the table of the endpoints it tells every act what they may not do. */
import { missingRole } from "@contract/client/needs.ts";
import { ROUTES } from "@contract/endpoints/routes.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { setWhyNot } from "../../data/may.ts";
import { loadWords, sayNow } from "../../i18n/i18n.ts";
import { youQuery } from "./people.ts";

export function RoleWatch() {
  const scope = useQuery(youQuery).data?.scope;
  useEffect(() => {
    if (scope === undefined) return;
    setWhyNot((act, sent) => {
      const role = missingRole(scope, ROUTES[act], sent);
      return role === null ? null : sayNow("people", role === "admin" ? "needsAdmin" : "needsMember");
    });
  }, [scope]);
  return null;
}

/** With its words. */
export async function loadRoleWatch() {
  await loadWords("engine");
  return RoleWatch;
}

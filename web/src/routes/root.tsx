/** What stands around and over every screen: the shell, the palette, the notifications. */

import { useLooking } from "../features/away/use-looking.ts";
import { PaletteDoor } from "../features/palette/palette-door.tsx";
import { Shell } from "../features/shell/shell.tsx";
import { part } from "../ui/loaded/part.tsx";

/** Both show nothing, so the first screen does not wait for them. */
const RoleWatch = part(async () => (await import("../features/people/role-watch.tsx")).loadRoleWatch());
const Notifier = part(async () => (await import("../features/notify/notifier.tsx")).Notifier);

export function RootRoute() {
  useLooking();
  return (
    <Shell>
      <PaletteDoor />
      <Notifier />
      <RoleWatch />
    </Shell>
  );
}

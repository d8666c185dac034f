/** What stands around and over every screen: the shell, the palette, the notifications. */
import { useLooking } from "../features/away/use-looking.ts";
import { Notifier } from "../features/notify/notifier.tsx";
import { PaletteDoor } from "../features/palette/palette-door.tsx";
import { Shell } from "../features/shell/shell.tsx";

export function RootRoute() {
  useLooking();
  return (
    <Shell>
      <PaletteDoor />
      <Notifier />
    </Shell>
  );
}

/** Loads a part that stands over the page when it is first wanted, and tells if that cannot be. */
import { useEffect, useRef, useState } from "react";
import { tellProblem } from "../toast.tsx";

/** Whether it is loaded. `onFail` takes back that it is wanted. */
export function useLoaded(isWanted: boolean, load: () => Promise<unknown>, onFail: () => void): boolean {
  const [isLoaded, setLoaded] = useState(false);
  const how = useRef({ load, onFail });
  how.current = { load, onFail };
  useEffect(() => {
    if (!isWanted) return;
    how.current.load().then(
      () => setLoaded(true),
      (error) => {
        how.current.onFail();
        tellProblem(error);
      },
    );
  }, [isWanted]);
  return isLoaded;
}

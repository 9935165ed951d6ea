import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** How wide an element is, in pixels, as it changes. 0 before it is on the screen. */
export function useWidth<E extends Element>(): {
  readonly ref: { current: E | null };
  readonly width: number;
} {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = () => setWidth(Math.floor(element.getBoundingClientRect().width));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

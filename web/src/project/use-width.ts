import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The width of an element in pixels. 0 before it is rendered. */
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

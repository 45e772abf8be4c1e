import { cloneElement, type ReactElement, type RefAttributes, useRef, useState } from 'react';
import { later } from './lazy-component';

const Tooltip = later(() => import('./overlays').then((overlays) => overlays.Tooltip));

interface Pointable extends RefAttributes<HTMLElement> {
  onPointerEnter?: () => void;
  onPointerLeave?: () => void;
}

/**
 * A tooltip that is created only while somebody points at the element: tooltips are expensive, and a list has
 * a hundred of them.
 */
export function Tip({ label, children }: { label: () => string; children: ReactElement<Pointable> }) {
  const [isPointedAt, point] = useState(false);
  const target = useRef<HTMLElement>(null);
  return (
    <>
      {cloneElement(children, {
        ref: target,
        onPointerEnter: () => point(true),
        onPointerLeave: () => point(false),
      })}
      {isPointedAt && <Tooltip opened label={label()} target={target} />}
    </>
  );
}

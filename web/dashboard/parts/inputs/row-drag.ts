import { type DragEvent, useState } from 'react';

/** Lets the rows of a list be dragged to another place, by a handle in each row. */
export function useRowDrag(onMove: (from: number, to: number) => void) {
  const [dragged, setDragged] = useState<number | null>(null);
  return {
    handle: (i: number) => ({
      draggable: true,
      onDragStart: ({ currentTarget, dataTransfer }: DragEvent) => {
        dataTransfer.effectAllowed = 'move';
        // Firefox drags nothing without data.
        dataTransfer.setData('text/plain', '');
        const row = currentTarget.closest('.row-editor');
        if (row) dataTransfer.setDragImage(row, 0, 0);
        setDragged(i);
      },
      onDragEnd: () => setDragged(null),
    }),
    row: (i: number) =>
      dragged === null
        ? {}
        : {
            onDragOver: (event: DragEvent) => event.preventDefault(),
            onDrop: (event: DragEvent) => {
              event.preventDefault();
              setDragged(null);
              if (dragged !== i) onMove(dragged, i);
            },
          },
  };
}

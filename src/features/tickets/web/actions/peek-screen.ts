import type { ComponentType } from 'react'
import type { Doors } from './doors.ts'

/** Props of the read-only view of a ticket. */
export type PeekProps = { id: number; doors: Pick<Doors, 'follow'>; onClose: () => void }

type Peek = ComponentType<PeekProps>

let registered: () => Promise<Peek>

/** Registers the loader of the read-only view. */
export function registerPeek(load: () => Promise<Peek>): void {
  registered = load
}

/** Loads the “Espiar” view. */
export const loadPeek = (): Promise<Peek> => registered()

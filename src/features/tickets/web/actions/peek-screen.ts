import type { ComponentType } from 'react'
import type { Doors } from './doors.ts'

/** What a look into a ticket is given. */
export type PeekProps = { id: number; doors: Pick<Doors, 'follow'>; onClose: () => void }

type Peek = ComponentType<PeekProps>

let registered: () => Promise<Peek>

/** Says who shows a conversation to read only. */
export function registerPeek(load: () => Promise<Peek>): void {
  registered = load
}

/** “Espiar”. */
export const loadPeek = (): Promise<Peek> => registered()

import type { ComponentType } from 'react'
import { createStore } from '../store.ts'

/** Voice calls from this page: calls a number with plus sign; the button shows or hides the phone. */
export type Calling = {
  readonly call: (number: string) => void
  readonly Button: ComponentType<{ onOpen: () => void }>
}

/** Voice calls for buttons and commands of any screen; null for users without a voice device. */
export const calling = createStore<Calling | null>(null)

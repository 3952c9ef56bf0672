/** What a ticket's commands can open around it. */
export type Doors = {
  open: (id: number) => void
  /** Opens a ticket that has just been taken; the list shows where it stands now. */
  follow: (id: number) => void
  /** This ticket was resolved: the next one of the list opens, where the person wants it so and this one is open. */
  next: (id: number) => void
  /** Opens what a command asks before it is done, or shows. */
  ask: (what: Asking, id: number) => void
}

/** What is opened over the screen for a command. */
export type Asking = 'transfer' | 'peek' | 'snooze' | 'pause' | 'channel' | 'chatbot' | 'group' | 'visibility' | 'macro'

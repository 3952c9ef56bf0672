/** What a ticket's commands can open around it. */
export type Doors = {
  open: (id: number) => void
  /** Opens a ticket that has just been taken; the list shows where it stands now. */
  follow: (id: number) => void
  /** This ticket was resolved: the next one of the list opens, where the person wants it so and this one is open. */
  next: (id: number) => void
  /** This ticket was given or put away: where it is the open one, nothing is open any more. */
  gone: (id: number) => void
  /** Opens what a command asks before it is done, or shows; `leaves`: when it is done, the ticket is `gone`. */
  ask: (what: Asking, id: number, leaves?: boolean) => void
}

/** How a ticket is resolved: `isUnrated`: its customer is not asked for a rating; `leaves`: it is not in front of the person any more then. */
export type Resolving = { readonly isUnrated?: boolean; readonly leaves?: boolean }

/** What is opened over the screen for a command. */
export type Asking =
  | 'transfer'
  | 'peek'
  | 'snooze'
  | 'pause'
  | 'channel'
  | 'chatbot'
  | 'group'
  | 'visibility'
  | 'distribution'
  | 'flow'
  | 'assistant'
  | 'phone-call'
  | 'move'
  | 'drag'
  | 'macro'
  | 'resolve'
  | 'resolve-unrated'

/** Navigation callbacks of a ticket's commands. */
export type Doors = {
  open: (id: number) => void
  /** Opens a ticket that was just taken, with the list on its new tab. */
  follow: (id: number) => void
  /** Opens the next ticket of the list after this one was closed, if it was open and the person's preferences say so. */
  next: (id: number) => void
  /** Closes the view of this ticket after it was given or put away, if it is open. */
  gone: (id: number) => void
  /** Opens a command's dialog; with `leaves` the ticket counts as `gone` once the command is done. */
  ask: (what: Asking, id: number, leaves?: boolean) => void
}

/** Options of closing a ticket: `isUnrated` asks for no rating; `leaves` removes it from the person's view afterwards. */
export type Resolving = { readonly isUnrated?: boolean; readonly leaves?: boolean }

/** Dialogs that commands open. */
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

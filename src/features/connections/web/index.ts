import { choiceList } from '#web/choices.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { connections } from '../addresses.ts'
import type { ConnectionRow } from '../contract.ts'

declare module '#web/choices.ts' {
  interface Choices {
    connections: ConnectionRow
  }
}

/** The connections to channels, which many screens choose from. */
export const connectionsWeb: WebFeature = {
  choices: { connections: choiceList(connections.list, (page) => page.connections) },
  screens: [],
}

import type { ReactNode } from 'react'

/** Question before an action that cannot be undone: the consequence in the text, the verb on the button. */
export type Question = {
  title: string
  text: ReactNode
  action: string
  cancel?: string
  tone?: 'neg' | 'brand'
  /** Work would be lost: the button that keeps it is the main one, has the focus, and is what Enter presses. */
  isDiscard?: boolean
}

/** Question with its answer callback. */
export type Asked = Question & { answer: (yes: boolean) => void }

import type { ReactNode } from 'react'

/** A question before something that cannot be undone: the consequence in the text, the verb on the button. */
export type Question = {
  title: string
  text: ReactNode
  action: string
  cancel?: string
  tone?: 'neg' | 'brand'
  /** Work would be lost: the way that keeps it is the main button, has the focus, and is what Enter does. */
  isDiscard?: boolean
}

/** A question with the way to answer it. */
export type Asked = Question & { answer: (yes: boolean) => void }

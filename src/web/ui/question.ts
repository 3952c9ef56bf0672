import type { ReactNode } from 'react'

/** A question before something that cannot be undone: the consequence in the text, the verb on the button. */
export type Question = {
  title: string
  text: ReactNode
  action: string
  cancel?: string
  tone?: 'neg' | 'brand'
}

/** A question with the way to answer it. */
export type Asked = Question & { answer: (yes: boolean) => void }

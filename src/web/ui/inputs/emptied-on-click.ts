import type { MouseEvent } from 'react'

/** For the input of a file button: a file that was mended, or taken out, can be chosen anew, which a browser else passes over. */
export const emptiedOnClick = {
  onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
    currentTarget.value = ''
  },
}

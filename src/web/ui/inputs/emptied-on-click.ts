import type { MouseEvent } from 'react'

/**
 * Props of a file input that clear it on click: else a browser ignores the choice of the same file after it was edited or
 * removed.
 */
export const emptiedOnClick = {
  onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
    currentTarget.value = ''
  },
}

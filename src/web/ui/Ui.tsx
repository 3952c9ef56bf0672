import { MantineProvider } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { pressChoices } from './activation.ts'
import { Toasts } from './feedback/notify.tsx'
import { styleNonce } from './nonce.ts'
import { theme, variables } from './theme.ts'

// Drawers and dialogs lock the page's scroll by a style element, whose library takes its nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })

/** Theme, colour scheme, keys and toasts for a page; the scheme is stored by Mantine under `mantine-color-scheme-value`. */
export function Ui({ children }: { children: ReactNode }) {
  useEffect(pressChoices, [])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      getStyleNonce={styleNonce}
      defaultColorScheme="auto"
    >
      {children}
      <Toasts />
    </MantineProvider>
  )
}

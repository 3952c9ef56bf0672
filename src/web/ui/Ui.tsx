import { MantineProvider } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { pressChoices } from './activation.ts'
import { Toasts } from './feedback/notify.tsx'
import { theme, variables } from './theme.ts'

/** The nonce that the server wrote into the page; styles made at run time carry it (content security policy). */
const nonce = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// Drawers and dialogs lock the page's scroll with a style of their own; the part that makes it asks for this name.
Object.assign(globalThis, { __webpack_nonce__: nonce() })

/** Theme, colour scheme, keys and toasts for a page; the scheme is stored by Mantine under `mantine-color-scheme-value`. */
export function Ui({ children }: { children: ReactNode }) {
  useEffect(pressChoices, [])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} getStyleNonce={nonce} defaultColorScheme="auto">
      {children}
      <Toasts />
    </MantineProvider>
  )
}

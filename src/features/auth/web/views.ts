import { withoutEnd } from '#domain/text.ts'
/** What the page before the product can show; the names of addresses are the specification's (§2). */
export type View =
  | 'login'
  | 'second-step'
  | 'forgot'
  | 'setup'
  | 'reset'
  | 'signup'
  | 'masterkey'
  | 'google-callback'
  | 'gmail-callback'
  | 'missing'

const views: Readonly<Record<string, View>> = {
  '/login': 'login',
  '/signup': 'signup',
  '/masterkey': 'masterkey',
  '/reset': 'reset',
  '/auth/google/callback': 'google-callback',
  '/gmail/callbackUrlBack': 'gmail-callback',
}

/** Where an address leads somebody without a session; a code for setting up opens what it is for on any address. */
export function viewOf(path: string, hasSetupCode = false): View {
  if (hasSetupCode) return 'setup'
  const [bare] = withoutEnd(path, /\//).split(/(?<=^\/reset)\//)
  return views[bare ?? ''] ?? 'missing'
}

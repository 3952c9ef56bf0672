import { withoutEnd } from '#domain/text.ts'
/** Views before the login; path names are from the specification (§2). */
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

/** Returns the view of a path without a session; a set-up code opens its view on any path. */
export function viewOf(path: string, hasSetupCode = false): View {
  if (hasSetupCode) return 'setup'
  const [bare] = withoutEnd(path, /\//).split(/(?<=^\/reset)\//)
  return views[bare ?? ''] ?? 'missing'
}

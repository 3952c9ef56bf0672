import '#web/styles.ts'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { landing } from '#domain/access/menu.ts'
import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import { boot } from '#web/boot.ts'
import { applyColors } from '#web/colors.ts'
import { type LoginAnswer, takeArrival, token } from '#web/session.ts'
import { notify } from '#web/ui/notify.tsx'
import { Ui } from '#web/ui/provider.tsx'
import { NotFound } from '#web/ui/states.tsx'
import { Login } from './login.tsx'

// Their code comes when somebody needs it: most people only log in.
const Setup = lazy(async () => ({ default: (await import('./setup.tsx')).Setup }))
const Forgot = lazy(async () => ({ default: (await import('./forgot.tsx')).Forgot }))
const Reset = lazy(async () => ({ default: (await import('./reset.tsx')).Reset }))
const Signup = lazy(async () => ({ default: (await import('./signup.tsx')).Signup }))
const MasterKey = lazy(async () => ({ default: (await import('./masterkey.tsx')).MasterKey }))

const path = location.pathname.replace(/\/+$/, '')
const setupCode = new URLSearchParams(location.search).get('tokenSetup')
const resetCode = /^\/reset\/([^/]+)$/.exec(path)?.[1] ?? null
// A code is worth a password: it leaves the address, and with it the history, before anything else happens.
if (setupCode) history.replaceState(null, '', location.pathname)
else if (resetCode) history.replaceState(null, '', '/reset')
const { flash, next } = takeArrival()

/** Opens where the role lands, or where the person was before the session ended. */
function enter({ profile }: Pick<LoginAnswer, 'profile'>): void {
  sessionStorage.setItem('guiche.welcome', 'Login sucess!')
  const role = PROFILES.includes(profile as Profile) ? (profile as Profile) : 'user'
  location.replace(next ?? landing(role))
}

type View = 'login' | 'forgot' | 'setup' | 'reset' | 'signup' | 'masterkey' | 'missing'

const views: Readonly<Record<string, View>> = { '/login': 'login', '/signup': 'signup', '/masterkey': 'masterkey' }
const first: View = setupCode ? 'setup' : /^\/reset(\/|$)/.test(path) ? 'reset' : (views[path] ?? 'missing')

function Entry() {
  const [view, setView] = useState<View>()
  const [name, setName] = useState('')
  useEffect(() => {
    if (first === 'login' && token()) location.replace('/')
    else setView(first)
    if (flash) notify({ tone: 'warn', ...flash })
  }, [])
  const toLogin = () => {
    history.replaceState(null, '', '/login')
    setView('login')
  }
  const toForgot = (typed = '') => {
    setName(typed)
    setView('forgot')
  }
  const shown: Record<View, () => ReactNode> = {
    login: () => <Login onDone={enter} onForgot={toForgot} />,
    forgot: () => <Forgot name={name} onBack={toLogin} />,
    setup: () => <Setup code={setupCode as string} onDone={enter} />,
    reset: () => <Reset code={resetCode} onDone={toLogin} onAgain={toForgot} />,
    signup: () => <Signup onDone={toLogin} />,
    masterkey: () => <MasterKey onDone={enter} />,
    missing: () => <NotFound home="/login" />,
  }
  return <Suspense>{view && shown[view]()}</Suspense>
}

applyColors(boot.colors)
createRoot(document.getElementById('root') as HTMLElement).render(
  <Ui>
    <Entry />
  </Ui>,
)

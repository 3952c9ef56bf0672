import { isOneOf } from '#domain/keys.ts'
import { withoutEnd } from '#domain/text.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import '#web/styles.ts'
import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { landing } from '#domain/access/menu.ts'
import { PROFILES } from '#domain/access/profiles.ts'
import { applyColors } from '#web/colors.ts'
import { type LoginAnswer, saveNext, takeArrival, token } from '#web/session/session.ts'
import { boot } from '#web/start/boot.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { NotFound } from '#web/ui/feedback/states.tsx'
import { Ui } from '#web/ui/Ui.tsx'
import { type Entered, isPending, type Pending } from './enter.ts'
import { Login } from './login.tsx'
import { type View, viewOf } from './views.ts'

// Loaded on demand: most users only log in.
const Setup = lazyPart(async () => (await import('./Setup.tsx')).Setup)
const Forgot = lazyPart(async () => (await import('./Forgot.tsx')).Forgot)
const Reset = lazyPart(async () => (await import('./Reset.tsx')).Reset)
const Signup = lazyPart(async () => (await import('./Signup.tsx')).Signup)
const SecondStep = lazyPart(async () => (await import('./SecondStep.tsx')).SecondStep)
const ExternalReturn = lazyPart(async () => (await import('./returns.tsx')).ExternalReturn)
const GmailReturn = lazyPart(async () => (await import('./returns.tsx')).GmailReturn)
const MasterKey = lazyPart(async () => (await import('./MasterKey.tsx')).MasterKey)

const path = withoutEnd(location.pathname, /\//)
const returned = Object.fromEntries(new URLSearchParams(location.search))
const setupCode = returned.tokenSetup
const resetCode = /^\/reset\/([^/]+)$/.exec(path)?.[1] ?? null
// A code is worth a password: it leaves the address, and with it the history, before anything else happens.
if (setupCode || path.includes('/callback')) history.replaceState(null, '', location.pathname)
else if (resetCode) history.replaceState(null, '', '/reset')
const { flash, next } = takeArrival()

/** Opens the role's start page, or the page on which the session ended. */
function enter({ profile }: Pick<LoginAnswer, 'profile'>): void {
  sessionStorage.setItem('guiche.welcome', t('Login sucess!'))
  const role = isOneOf(PROFILES, profile) ? profile : 'user'
  location.replace(next ?? landing(role))
}

const first = viewOf(path, setupCode !== undefined)

function Entry() {
  const [view, setView] = useState<View>()
  const [name, setName] = useState('')
  const [pending, setPending] = useState<Pending>()
  useEffect(() => {
    if (first === 'login' && token()) location.replace('/')
    else setView(first)
    if (flash) notify({ tone: 'warn', ...flash })
  }, [])
  const toLogin = useCallback(() => {
    history.replaceState(null, '', '/login')
    setView('login')
  }, [])
  const arrive = useCallback((answer: Entered) => {
    if (!isPending(answer)) return enter(answer)
    history.replaceState(null, '', '/login')
    setPending(answer)
    setView('second-step')
  }, [])
  const toForgot = (typed = '') => {
    setName(typed)
    setView('forgot')
  }
  const shown: Record<View, () => ReactNode> = {
    login: () => <Login onDone={arrive} onForgot={toForgot} onLeave={() => saveNext(next)} />,
    'second-step': () => <SecondStep pending={pending as Pending} onDone={enter} onBack={toLogin} />,
    forgot: () => <Forgot name={name} onBack={toLogin} />,
    setup: () => <Setup code={setupCode as string} onDone={arrive} />,
    reset: () => <Reset code={resetCode} onDone={toLogin} onRestart={toForgot} />,
    signup: () => <Signup onDone={toLogin} />,
    masterkey: () => <MasterKey onDone={enter} />,
    'google-callback': () => <ExternalReturn returned={returned} onDone={arrive} onBack={toLogin} />,
    'gmail-callback': () => <GmailReturn returned={returned} />,
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

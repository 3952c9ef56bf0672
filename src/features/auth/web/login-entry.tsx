import '#web/styles.ts'
import { useEffect, useState } from 'react'
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
import { Setup } from './setup.tsx'

const code = new URLSearchParams(location.search).get('tokenSetup')
// The code is worth a password: it leaves the address, and with it the history, before anything else happens.
if (code) history.replaceState(null, '', location.pathname)
const { flash, next } = takeArrival()

/** Opens where the role lands, or where the person was before the session ended. */
function enter({ profile }: Pick<LoginAnswer, 'profile'>): void {
  sessionStorage.setItem('guiche.welcome', 'Login sucess!')
  const role = PROFILES.includes(profile as Profile) ? (profile as Profile) : 'user'
  location.replace(next ?? landing(role))
}

function Entry() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    if (!code && token() && location.pathname === '/login') location.replace('/')
    else setOpen(true)
    if (flash) notify({ tone: 'warn', ...flash })
  }, [])
  if (!open) return null
  if (code) return <Setup code={code} onDone={enter} />
  return location.pathname.replace(/\/$/, '') === '/login' ? <Login onDone={enter} /> : <NotFound home="/login" />
}

applyColors(boot.colors)
createRoot(document.getElementById('root') as HTMLElement).render(
  <Ui>
    <Entry />
  </Ui>,
)

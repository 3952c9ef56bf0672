import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { loadTutorials } from '../features.tsx'
import { lazyPart } from '../lazy-part.ts'
import { roleNames } from '../session/roles.ts'
import { viewer } from '../session/session.ts'
import { t } from '../t.ts'
import { Avatar } from '../ui/identity/Avatar.tsx'
import { presenceOf } from '../ui/identity/presence.ts'
import { CommandMenu } from '../ui/layout/CommandMenu.tsx'
import { useOwn } from './account.ts'
import css from './rail.module.css'
import { useSchemeSwitch } from './scheme.ts'
import type { TutorialsPanel } from './screens.ts'

const commands = () => import('./account-commands.ts')
const Tutorials = lazyPart(async (): Promise<TutorialsPanel> => (await loadTutorials?.()) ?? (() => null))
const Away = lazyPart(async () => (await import('./Away.tsx')).Away)

/** Profile menu at the end of the rail: presence, breaks, colour scheme, logout. */
export function Profile({ wide }: { wide: boolean }) {
  const { userId, username, profile } = viewer()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const own = useOwn().data
  const { isDark, toggle } = useSchemeSwitch()
  const isOnline = own?.isOnline ?? false
  const [isAsked, setAsked] = useState(false)
  const [isLearning, setLearning] = useState(false)
  const awayUntil = own?.awayUntil && Date.parse(own.awayUntil) > Date.now() ? own.awayUntil : null
  const load = async () => {
    const { accountCommands } = await commands()
    return accountCommands({
      queries,
      isOnline,
      awayUntil,
      isDark,
      onScheme: toggle,
      onAway: () => setAsked(true),
      onTutorials: () => setLearning(true),
      onProfile: () => void navigate({ to: '/perfil' }),
    })
  }
  return (
    <>
      <CommandMenu
        load={load}
        header={own?.email ?? username}
        position="right-end"
        target={
          <button type="button" className={css.profile}>
            <Avatar id={userId} name={username} size={36} status={presenceOf({ isOnline, awayUntil })} />
            <span className={wide ? 'g-cut' : 'g-hidden'}>
              {username}
              <small>{roleNames[profile]}</small>
            </span>
            <span className="g-hidden">{t(': conta e aparência')}</span>
          </button>
        }
      />
      {isLearning && (
        <Suspense>
          <Tutorials onClose={() => setLearning(false)} />
        </Suspense>
      )}
      {isAsked && (
        <Suspense>
          <Away
            onPick={async (until) => (await commands()).leaveUntil(queries, until)}
            onClose={() => setAsked(false)}
          />
        </Suspense>
      )}
    </>
  )
}

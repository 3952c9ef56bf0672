import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { sentence } from '../api.ts'
import { formatTime } from '../format.ts'
import { lazyPart } from '../lazy-part.ts'
import { roleNames } from '../session/roles.ts'
import { viewer } from '../session/session.ts'
import { t } from '../t.ts'
import { confirmDiscard } from '../ui/feedback/confirm.tsx'
import { notify } from '../ui/feedback/notify.tsx'
import { hideOverlay, showOverlay } from '../ui/feedback/overlay.tsx'
import { BreakIcon, DarkIcon, LightIcon, LogoutIcon, PersonIcon } from '../ui/icons.ts'
import { Avatar } from '../ui/identity/Avatar.tsx'
import { CommandMenu } from '../ui/layout/CommandMenu.tsx'
import type { Command } from '../ui/layout/command.ts'
import { hasUnsaved } from '../unsaved.ts'
import { logOut, ownKey, setAway, setOnline, useOwn } from './account.ts'
import css from './rail.module.css'
import { useSchemeSwitch } from './scheme.ts'

const Away = lazyPart(async () => (await import('./Away.tsx')).Away)

/** Leaves after asking when something would be lost. */
export async function leave(): Promise<void> {
  const sure =
    !hasUnsaved() ||
    (await confirmDiscard({
      title: t('Sair agora?'),
      text: t('Há alterações que ainda não foram salvas.'),
      action: t('Sair sem salvar'),
    }))
  if (!sure) return
  showOverlay()
  await logOut().finally(hideOverlay)
}

/** The person at the rail's foot: presence, colour scheme, leaving. */
export function Profile({ wide }: { wide: boolean }) {
  const { userId, username, profile } = viewer()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const own = useOwn().data
  const { isDark, toggle } = useSchemeSwitch()
  const isOnline = own?.isOnline ?? false
  const [isAsked, setAsked] = useState(false)
  const awayUntil = own?.awayUntil && Date.parse(own.awayUntil) > Date.now() ? own.awayUntil : null
  const leaveUntil = async (until: Date | null) => {
    await setAway(until)
    await queries.invalidateQueries({ queryKey: ownKey })
  }
  const setPresence = async (next: boolean) => {
    try {
      await setOnline(next)
      await queries.invalidateQueries({ queryKey: ownKey })
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    }
  }
  const commands: Command[] = [
    {
      id: 'online',
      label: isOnline ? t('Online') : t('Offline'),
      checked: isOnline,
      run: () => void setPresence(!isOnline),
    },
    {
      id: 'away',
      label: awayUntil ? t('Voltar da pausa ({at})', { at: formatTime(awayUntil) }) : t('Ausente…'),
      icon: BreakIcon,
      run: () =>
        awayUntil
          ? void leaveUntil(null).catch((error: unknown) => notify({ tone: 'neg', title: sentence(error) }))
          : setAsked(true),
    },
    {
      id: 'scheme',
      label: isDark ? t('Modo claro') : t('Modo escuro'),
      icon: isDark ? LightIcon : DarkIcon,
      run: toggle,
    },
    { id: 'profile', label: t('Meu perfil'), icon: PersonIcon, run: () => void navigate({ to: '/perfil' }) },
    { id: 'leave', group: 'leave', label: t('Sair'), icon: LogoutIcon, run: () => void leave() },
  ]
  const presence = awayUntil ? 'away' : isOnline ? 'online' : 'offline'
  return (
    <>
      <CommandMenu
        commands={commands}
        header={own?.email ?? username}
        position="right-end"
        target={
          <button type="button" className={css.profile}>
            <Avatar id={userId} name={username} size={36} status={presence} />
            <span className={wide ? 'g-cut' : 'g-hidden'}>
              {username}
              <small>{roleNames[profile]}</small>
            </span>
            <span className="g-hidden">{t(': conta e aparência')}</span>
          </button>
        }
      />
      {isAsked && (
        <Suspense>
          <Away onPick={leaveUntil} onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </>
  )
}

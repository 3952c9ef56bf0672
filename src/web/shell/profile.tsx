import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Profile as Role } from '#domain/access/profiles.ts'
import { sentence } from '../api.ts'
import { viewer } from '../session.ts'
import { Avatar } from '../ui/avatar.tsx'
import type { Command } from '../ui/command.ts'
import { CommandMenu } from '../ui/command-menu.tsx'
import { confirm } from '../ui/confirm.tsx'
import { DarkIcon, LightIcon, LogoutIcon } from '../ui/icons.ts'
import { notify } from '../ui/notify.tsx'
import { hideOverlay, showOverlay } from '../ui/overlay.tsx'
import { hasUnsaved } from '../unsaved.ts'
import { keepScheme, logOut, ownKey, setOnline, useOwn } from './account.ts'
import css from './rail.module.css'

const roleNames: Record<Role, string> = {
  user: 'Atendente',
  super: 'Supervisor',
  admin: 'Administrador',
  superadmin: 'Superadministrador',
}

/** Leaves after asking when something would be lost. */
export async function leave(): Promise<void> {
  const sure =
    !hasUnsaved() ||
    (await confirm({
      title: 'Sair agora?',
      text: 'Há alterações que ainda não foram salvas.',
      action: 'Sair sem salvar',
    }))
  if (!sure) return
  showOverlay()
  await logOut().finally(hideOverlay)
}

/** Switches light and dark, here and for the account. */
export function useSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const toggle = () => {
    setColorScheme(isDark ? 'light' : 'dark')
    keepScheme(!isDark).catch(() => {}) // a preference: this browser keeps it anyway
  }
  return { isDark, toggle }
}

/** The person at the rail's foot: presence, colour scheme, leaving. */
export function Profile({ wide }: { wide: boolean }) {
  const { userId, username, profile } = viewer()
  const queries = useQueryClient()
  const own = useOwn().data
  const { isDark, toggle } = useSchemeSwitch()
  const isOnline = own?.isOnline ?? false
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
      label: isOnline ? 'Online' : 'Offline',
      checked: isOnline,
      run: () => void setPresence(!isOnline),
    },
    {
      id: 'scheme',
      label: isDark ? 'Modo claro' : 'Modo escuro',
      icon: isDark ? LightIcon : DarkIcon,
      run: toggle,
    },
    { id: 'leave', group: 'leave', label: 'Sair', icon: LogoutIcon, run: () => void leave() },
  ]
  return (
    <CommandMenu
      commands={commands}
      head={own?.email ?? username}
      place="right-end"
      target={
        <button type="button" className={css.profile}>
          <Avatar id={userId} name={username} size={36} status={isOnline ? 'online' : 'offline'} />
          <span className={wide ? 'g-cut' : 'g-hidden'}>
            {username}
            <small>{roleNames[profile]}</small>
          </span>
          <span className="g-hidden">: conta e aparência</span>
        </button>
      }
    />
  )
}

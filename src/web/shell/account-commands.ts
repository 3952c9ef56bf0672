import type { QueryClient } from '@tanstack/react-query'
import { sentence } from '../api.ts'
import { formatTime } from '../format.ts'
import { may } from '../session/permissions.ts'
import { t } from '../t.ts'
import { confirmDiscard } from '../ui/feedback/confirm.tsx'
import { notify } from '../ui/feedback/notify.tsx'
import { hideOverlay, showOverlay } from '../ui/feedback/overlay.tsx'
import { BreakIcon, DarkIcon, LightIcon, LogoutIcon, PersonIcon, TutorialIcon } from '../ui/icons.ts'
import type { Command } from '../ui/layout/command.ts'
import { hasUnsaved } from '../unsaved.ts'
import { logOut, ownKey, setAway, setOnline } from './account.ts'

/** Logs out, after a question if something would be lost. */
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

/** Starts a break until a time, or ends it (null). */
export async function leaveUntil(queries: QueryClient, until: Date | null): Promise<void> {
  await setAway(until)
  await queries.invalidateQueries({ queryKey: ownKey })
}

type Account = {
  queries: QueryClient
  isOnline: boolean
  /** End of the user's break (ISO); null: not on a break. */
  awayUntil: string | null
  isDark: boolean
  onScheme: () => void
  onAway: () => void
  onProfile: () => void
  onTutorials: () => void
}

/** Returns the commands of the user's account at the end of the rail. */
export function accountCommands({ queries, isOnline, awayUntil, isDark, ...on }: Account): Command[] {
  const attempt = (work: Promise<void>) =>
    void work.catch((error: unknown) => notify({ tone: 'neg', title: sentence(error) }))
  const setPresence = async () => {
    await setOnline(!isOnline)
    await queries.invalidateQueries({ queryKey: ownKey })
  }
  return [
    {
      id: 'online',
      label: isOnline ? t('Online') : t('Offline'),
      checked: isOnline,
      run: () => attempt(setPresence()),
    },
    {
      id: 'away',
      label: awayUntil ? t('Voltar da pausa ({at})', { at: formatTime(awayUntil) }) : t('Ausente…'),
      icon: BreakIcon,
      run: () => (awayUntil ? attempt(leaveUntil(queries, null)) : on.onAway()),
    },
    {
      id: 'scheme',
      label: isDark ? t('Modo claro') : t('Modo escuro'),
      icon: isDark ? LightIcon : DarkIcon,
      run: on.onScheme,
    },
    { id: 'profile', label: t('Meu perfil'), icon: PersonIcon, run: on.onProfile },
    {
      id: 'tutorials',
      label: t('Tutoriais'),
      icon: TutorialIcon,
      when: () => may('tutorials:read'),
      run: on.onTutorials,
    },
    { id: 'leave', group: 'leave', label: t('Sair'), icon: LogoutIcon, run: () => void leave() },
  ]
}

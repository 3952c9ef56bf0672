import { useEntersBy } from '#web/session/permissions.ts'
import { stored } from '#web/session/session.ts'
import { NoticeBar } from '#web/shell/notice-bar.tsx'
import { t } from '#web/t.ts'
import { LockIcon } from '#web/ui/icons.ts'

/** Notice with the login name to use, for a user whose e-mail is another account's login name. */
export function EmailNotice() {
  const entersBy = useEntersBy()
  if (!entersBy) return null
  const email = stored<{ email?: string }>('usuario')?.email ?? ''
  return (
    <NoticeBar icon={LockIcon}>
      {t('O e-mail {email} é a entrada de outra conta, que o confirmou.', { email })}{' '}
      <b>{t('Entre nesta com o usuário {entersBy}.', { entersBy })}</b>
    </NoticeBar>
  )
}

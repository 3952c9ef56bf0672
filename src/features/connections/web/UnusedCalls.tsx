import { plural, t } from '#web/t.ts'
import { Notice } from '#web/ui/inputs/fields.tsx'

/** Counts of refused webhook calls and unread events; `isShared`: one address serves all connections. */
export function UnusedCalls({
  refused,
  unread,
  isShared = false,
}: {
  refused: number
  unread: string
  isShared?: boolean
}) {
  const count = plural(refused, t('chamada recusada'), t('chamadas recusadas'))
  return (
    <>
      {refused > 0 && (
        <Notice tone="warn">
          {isShared
            ? t('{count} com a assinatura errada: confira a chave secreta.', { count })
            : t('{count}, sem a assinatura certa ou de outra conta.', { count })}
        </Notice>
      )}
      {unread && <p>{t('Vieram também, sem uso: {names}.', { names: unread })}</p>}
    </>
  )
}

import { Button } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { mutation, pages } from '#web/client.ts'
import { formatDateTime, formatSpan } from '#web/format.ts'
import { endSession } from '#web/session/refresh.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { ComputerIcon, MobileIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { devices } from '../addresses.ts'
import type { Device } from '../contract.ts'
import css from './devices.module.css'

const methods: Record<Device['method'], string> = {
  password: t('com senha'),
  code: t('com um link de uso único'),
  passkey: t('com passkey'),
  oidc: t('com o login externo'),
  masterkey: t('pelo suporte'),
}

function Row({ device, onEnd }: { device: Device; onEnd: () => void }) {
  const now = useNow()
  const used = formatSpan(now - Date.parse(device.lastUsedAt))
  const Icon = /iPhone|iPad|Android/.test(device.name) ? MobileIcon : ComputerIcon
  return (
    <li className={css.row}>
      <Icon size={20} />
      <div className={css.text}>
        <b className="g-cut">{device.name}</b>
        <span>
          {used === t('agora') ? t('Usado agora') : t('Usado há {used}', { used })} ·{' '}
          {device.ip || t('endereço desconhecido')}
        </span>
        <span>
          {t('Entrou em {createdAt},', { createdAt: formatDateTime(device.createdAt) })} {methods[device.method]}
        </span>
      </div>
      {device.isCurrent ? (
        <Pill tone="pos">{t('Este dispositivo')}</Pill>
      ) : (
        <Button variant="default" size="xs" onClick={onEnd}>
          {t('Encerrar')}
          <span className="g-hidden">: {device.name}</span>
        </Button>
      )}
    </li>
  )
}

/** Section with the user's devices and their last use; logs out one, all others, or all. */
export function DevicesSection() {
  const list = useInfiniteQuery(pages(devices.list))
  const rows = list.data?.pages.flatMap(({ sessions }) => sessions) ?? []
  const notifyDone = (title: string) => () => void notify({ tone: 'pos', title })
  const revoke = useMutation(mutation(devices.revoke, { onSuccess: notifyDone(t('Sessão encerrada.')) }))
  const revokeOthers = useMutation(
    mutation(devices.revokeOthers, { onSuccess: notifyDone(t('Os outros dispositivos saíram.')) }),
  )
  const revokeAll = useMutation(
    mutation(devices.revokeAll, {
      onSuccess: () => endSession({ title: t('Você saiu de todos os dispositivos.') }, { forgetAll: true }),
    }),
  )
  const leaveOthers = async () => {
    const sure = await confirm({
      title: t('Encerrar nos outros dispositivos?'),
      text: t('Quem estiver neles volta para a tela de login. Você continua conectado aqui.'),
      action: t('Encerrar nos outros'),
    })
    if (sure) revokeOthers.mutate({})
  }
  const leaveAll = async () => {
    const sure = await confirm({
      title: t('Sair de todos os dispositivos?'),
      text: t('Você também sai deste e precisa entrar de novo.'),
      action: t('Sair de todos'),
    })
    if (sure) revokeAll.mutate({})
  }
  return (
    <Card title={t('Dispositivos conectados')}>
      <p className="g-help">{t('Não reconhece algum? Encerre a sessão dele e troque a sua senha.')}</p>
      {list.isPending && <SkeletonRows kind="table" rows={3} />}
      {list.isError && rows.length === 0 && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      <ul className={css.list} aria-label={t('Dispositivos conectados')}>
        {rows.map((device) => (
          <Row key={device.id} device={device} onEnd={() => revoke.mutate({ params: { id: device.id } })} />
        ))}
      </ul>
      {rows.length > 0 && (
        <footer className={css.footer}>
          {list.hasNextPage && (
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t('Mostrar mais')}
            </Button>
          )}
          {rows.length > 1 && (
            <Button variant="default" loading={revokeOthers.isPending} onClick={() => void leaveOthers()}>
              {t('Encerrar nos outros')}
            </Button>
          )}
          <Button variant="subtle" loading={revokeAll.isPending} onClick={() => void leaveAll()}>
            {t('Sair de todos os dispositivos')}
          </Button>
        </footer>
      )}
    </Card>
  )
}

import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { CheckIcon, CopyIcon } from '#web/ui/icons.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { support } from '../addresses.ts'
import css from './master-key-card.module.css'

/** Card of support access to all companies: off until the superadmin creates a key, which is shown once (decision A14). */
export function MasterKeyCard() {
  const { data } = useQuery(query(support.keyState))
  const make = useMutation(mutation(support.makeKey))
  const remove = useMutation(mutation(support.dropKey, { onSuccess: () => make.reset() }))
  if (!data) return null
  const key = make.data?.key
  const replace = async () => {
    const sure =
      !data.enabled ||
      (await confirm({
        title: t('Gerar outra chave mestra?'),
        text: t('A chave atual deixa de valer agora.'),
        action: t('Gerar outra chave'),
      }))
    if (sure) make.mutate({})
  }
  return (
    <Card title={t('Acesso de suporte')}>
      <p className={css.text}>
        {data.enabled && data.createdAt
          ? t('Ligado: chave mestra gerada em {at} por {by}.', {
              at: formatDateTime(data.createdAt),
              by: data.createdBy,
            })
          : t('Desligado. Com uma chave mestra, em /masterkey, abre-se por 60 minutos a conta de alguém.')}{' '}
        {t('A empresa vê um aviso e pode encerrar; cada uso fica na auditoria.')}
      </p>
      {key && <NewKey text={key} />}
      <div className={css.actions}>
        <Button variant="default" loading={make.isPending} onClick={() => void replace()}>
          {data.enabled ? t('Gerar outra chave') : t('Gerar chave mestra')}
        </Button>
        {data.enabled && (
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate({})}>
            {t('Desligar')}
          </Button>
        )}
      </div>
    </Card>
  )
}

function NewKey({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  const [box, setBox] = useState<HTMLElement | null>(null)
  const copy = async () => {
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    // Plain http: the browser does not let pages copy, so the text is at least chosen.
    if (!done && box) getSelection()?.selectAllChildren(box)
    setCopied(Boolean(done))
  }
  return (
    <div className={css.key}>
      <p>{t('Guarde agora: ela não será mostrada de novo.')}</p>
      <div>
        <code ref={setBox}>{text}</code>
        <Button
          variant="default"
          leftSection={isCopied ? <CheckIcon size={17} /> : <CopyIcon size={17} />}
          onClick={() => void copy()}
        >
          {isCopied ? t('Copiado') : t('Copiar')}
        </Button>
      </div>
    </div>
  )
}

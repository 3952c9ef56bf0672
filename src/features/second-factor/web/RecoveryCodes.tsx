import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { t } from '#web/t.ts'
import { CheckIcon, CopyIcon, DownloadIcon, PrintIcon } from '#web/ui/icons.ts'
import css from './second-factor.module.css'

/** Recovery codes, shown once: copy, download, print. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const list = useRef<HTMLOListElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    const done = await navigator.clipboard?.writeText(codes.join('\n')).then(
      () => true,
      () => false,
    )
    // Plain http does not let pages copy: the codes are selected instead.
    if (!done && list.current) getSelection()?.selectAllChildren(list.current)
    setCopied(Boolean(done))
  }
  const download = () => {
    const text = [t('Guichê: códigos de recuperação. Cada um vale uma vez.'), '', ...codes, ''].join('\r\n')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    link.download = 'guiche-codigos-de-recuperacao.txt'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <div className={css.recovery}>
      <p>
        {t(
          'Guarde estes códigos fora do celular. Sem o aplicativo, cada um deles abre a conta uma vez. Eles não serão mostrados de novo.',
        )}
      </p>
      <ol ref={list} className={css.codes} aria-label={t('Códigos de recuperação')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={css.actions}>
        <Button
          variant="default"
          leftSection={isCopied ? <CheckIcon size={17} /> : <CopyIcon size={17} />}
          onClick={() => void copy()}
        >
          {isCopied ? t('Copiados') : t('Copiar')}
        </Button>
        <Button variant="default" leftSection={<DownloadIcon size={17} />} onClick={download}>
          {t('Baixar')}
        </Button>
        <Button variant="default" leftSection={<PrintIcon size={17} />} onClick={() => print()}>
          {t('Imprimir')}
        </Button>
      </div>
      <Button size="lg" fullWidth onClick={onDone}>
        {t('Já guardei os códigos')}
      </Button>
    </div>
  )
}

import { restoreBackup } from '#server/backup/restore.ts'
import { checkServer } from '#server/db/preflight.ts'
import { hasKey } from '#server/existing.ts'
import { loadSecrets } from '#server/secrets.ts'
import { runCommand, shown, warnOfFiles } from './command.ts'

// Puts a backup into an empty folder or database.
await runCommand({ name: 'from', usage: 'Diga que arquivo: npm run restore -- --from ARQUIVO' }, async (env, path) => {
  if (!hasKey(env))
    throw new Error(
      `A chave mestra do backup não está em ${env.DATA_DIR}: ponha lá o arquivo secret.key, ou indique-a com SECRET_KEY_FILE ou SECRET_KEY.`,
    )
  await checkServer(env)
  const log = { info: () => {}, error: (line: string) => console.error(line) }
  const made = await restoreBackup(env, loadSecrets(env), path, log)
  const { number } = shown
  console.log(
    `Backup de ${made.createdAt} restaurado e conferido: ${number(made.tables)} tabelas com ${number(made.rows)} linhas, ` +
      `${number(made.files)} arquivos. Inicie com npm start.`,
  )
  warnOfFiles(made)
})

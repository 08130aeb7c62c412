import { AppConfig } from '../config/app-config';
import { mailerOptions } from './mail-options';

const SECRET = 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX';
const timeoutAt = (SMTP_URL: string): string | null => {
  const { transport } = mailerOptions(new AppConfig({ SECRET, SMTP_URL }));
  return new URL(String(transport)).searchParams.get('socketTimeout');
};

it('a mail server has ten minutes for an answer, unless SMTP_URL sets another time', () => {
  expect(timeoutAt('smtp://mail.example.com')).toBe('600000');
  expect(timeoutAt('smtp://mail.example.com?socketTimeout=1000')).toBe('1000');
});

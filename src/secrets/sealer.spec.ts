import { AppConfig } from '../config/app-config';
import { CannotOpen, Sealer } from './sealer';
import { SecretKeys } from './secret-keys';

const OLD = 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX';
const NEW = 'z8Kd3NfPq1WtYv5LbRh7XcJm2SgTa9Ue';

const keysOf = (secret: string): SecretKeys => new SecretKeys(new AppConfig({ SECRET: secret }));
const sealerOf = (secret: string): Sealer => new Sealer(keysOf(secret));

/** Changes a character in the middle: at the end, some bits of base64 have no effect. */
const altered = (text: string): string =>
  `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`;

describe('a sealed text', () => {
  const sealed = sealerOf(OLD).seal('it is me ✓', 'thing', 'row 1');

  it('opens only for its purpose and its row, and reveals nothing until then', () => {
    expect(sealerOf(OLD).open(sealed, 'thing', 'row 1')).toBe('it is me ✓');
    expect(sealed).toMatch(/^[\w-]{8}\.[\w-]+$/);
    expect(sealerOf(OLD).seal('it is me ✓', 'thing', 'row 1')).not.toBe(sealed);
  });

  it.each([
    ['in another row', sealed, 'thing', 'row 2'],
    ['for another purpose', sealed, 'other', 'row 1'],
    ['altered', altered(sealed), 'thing', 'row 1'],
    ['cut short', sealed.slice(0, 20), 'thing', 'row 1'],
    ['without a body', sealed.slice(0, 9), 'thing', 'row 1'],
    ['that is not a sealed text', 'JBSWY3DPEHPK3PXP', 'thing', 'row 1'],
    ['that is empty', '', 'thing', 'row 1'],
  ])('does not open %s', (_, text, purpose, bound) => {
    expect(() => sealerOf(OLD).open(text, purpose, bound)).toThrow(CannotOpen);
  });

  it('opens if its secret is listed, and not otherwise', () => {
    expect(sealerOf(`${NEW},${OLD}`).open(sealed, 'thing', 'row 1')).toBe('it is me ✓');
    expect(() => sealerOf(NEW).open(sealed, 'thing', 'row 1')).toThrow(CannotOpen);
  });

  it('is sealed with the first secret of the list', () => {
    const anew = sealerOf(`${NEW}, ${OLD}`).seal('x', 'thing', 'row 1');
    expect(sealerOf(NEW).open(anew, 'thing', 'row 1')).toBe('x');
  });
});

describe('a derived key', () => {
  it('depends on purpose and secret, its id only on the secret', () => {
    const [current, older] = keysOf(`${NEW},${OLD}`).all('thing');
    expect(current?.key.equals(older?.key ?? Buffer.alloc(0))).toBe(false);
    expect(current?.id).not.toBe(older?.id);
    const other = keysOf(NEW).current('other');
    expect(other.id).toBe(current?.id);
    expect(other.key.equals(current?.key ?? Buffer.alloc(0))).toBe(false);
  });
});

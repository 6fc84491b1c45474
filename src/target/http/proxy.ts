/** Which proxy stands between us and a server: the usual variables, in either case. */
import { BlockList, isIP } from 'node:net';
import { isLoopback, type BaseUrl } from './base-url';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a server, as `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` have it; the lower-case name wins. Undefined when the
 * server is asked directly, as this machine's own always is.
 */
export function proxyFor(base: BaseUrl, env: Environment): string | undefined {
  if (isLoopback(base)) return undefined;
  const proxy = variable(env, base.secure ? 'https_proxy' : 'http_proxy') ?? variable(env, 'all_proxy');
  if (proxy === undefined || isExcepted(base, variable(env, 'no_proxy') ?? '')) return undefined;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function variable(env: Environment, name: string): string | undefined {
  // HTTP_PROXY alone could come from a request's Proxy header, but only in a CGI script.
  return env[name] || env[name.toUpperCase()] || undefined;
}

/** `example.com` means itself and what is below it; `*` everything; a port may follow. `10.0.0.0/8` means every address of that network. */
function isExcepted({ host, port }: BaseUrl, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    if (entry.includes('/')) return isInNetwork(host, entry);
    const [, name = '', ownPort] = /^(.*?)(?::(\d+))?$/.exec(/^[^[].*:.*:/.test(entry) ? `[${entry}]` : entry) ?? [];
    const wanted = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '').toLowerCase();
    if (wanted === '' || (ownPort !== undefined && Number(ownPort) !== port)) return false;
    const asked = host.toLowerCase();
    return asked === wanted || asked.endsWith(`.${wanted}`);
  });
}

/** Whether an address is part of a network in CIDR notation (RFC 4632, RFC 4291); names are not looked up. */
function isInNetwork(host: string, network: string): boolean {
  const [, address = '', bits = ''] = /^\[?([^\]/]+)\]?\/(\d+)$/.exec(network) ?? [];
  const asked = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  if (family === 0 || isIP(asked) !== family || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const networks = new BlockList();
  networks.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return networks.check(asked, family === 4 ? 'ipv4' : 'ipv6');
}

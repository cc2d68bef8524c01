const amazon = String.raw`s3(?:-fips)?(?:\.dualstack)?(?:[.-][a-z]{2}(?:-[a-z]+)+-\d)?\.amazonaws\.com(?:\.cn)?$`

// The endpoints of clouds that speak the protocol of S3, each a host of the cloud alone. Those at which a caller says what is answered
// are not among them: websites of buckets, Object Lambda, other names for buckets.
const clouds: ReadonlyArray<RegExp> = [
  new RegExp(String.raw`^(?:.+\.)?${amazon}`, "u"),
  /^(?:[^.]+\.)?[a-z]{3}\d\.digitaloceanspaces\.com$/u,
  /^(?:[^.]+\.){1,3}r2\.cloudflarestorage\.com$/u,
  /^(?:[^.]+\.)?s3\.[a-z\d-]+(?:\.io|\.perf)?\.cloud\.ovh\.(?:net|us)$/u
]

/** The end of the alias of an access point of Object Lambda, which stands in the place of a bucket. */
const objectLambda = /--ol-s3(?:[./]|$)/u

// Where the path names the bucket, the ARN of an access point of Object Lambda may stand in its place.
const withoutBucket = new RegExp(`^${amazon}`, "u")
const bucketPath = /^\/[\w.-]+(?:\/|$)/u

/**
 * Whether nobody controls the host of a URL who creates pipes: a storage of a cloud over https, or one of `named`, which the operator
 * has named.
 */
export const isTrustedStorage = (
  { hostname, href, pathname, port, protocol }: URL,
  named: ReadonlyArray<string> = []
): boolean =>
  named.includes(hostname) ||
  (protocol === "https:" &&
    port === "" &&
    !objectLambda.test(href) &&
    (!withoutBucket.test(hostname) || bucketPath.test(pathname)) &&
    clouds.some((host) => host.test(hostname)))

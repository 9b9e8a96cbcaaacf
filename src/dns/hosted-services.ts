import { type Name, readName } from "./name.ts";

/**
 * Suffixes of host names that anyone can claim once they are released. A record that still points to such a name allows
 * a subdomain takeover.
 *
 * Sources: Microsoft, "Prevent dangling DNS entries and avoid subdomain takeover" (the Azure names); AWS, Elastic
 * Beanstalk and S3 developer guides on CNAME records; GitHub Docs, "Verifying your custom domain for GitHub Pages"; the
 * list of EdOverflow/can-i-take-over-xyz, entries with the status "vulnerable", as of 2025.
 */
export const hostedServices: readonly (readonly [suffix: Name, service: string])[] = (
  [
    ["azurewebsites.net.", "Azure App Service"],
    ["cloudapp.net.", "Azure Cloud Services"],
    ["cloudapp.azure.com.", "Azure virtual machines"],
    ["trafficmanager.net.", "Azure Traffic Manager"],
    ["azure-api.net.", "Azure API Management"],
    ["azureedge.net.", "Azure CDN"],
    ["azurecontainer.io.", "Azure Container Instances"],
    ["blob.core.windows.net.", "Azure Storage"],
    ["database.windows.net.", "Azure SQL Database"],
    ["redis.cache.windows.net.", "Azure Cache for Redis"],
    ["search.windows.net.", "Azure AI Search"],
    ["servicebus.windows.net.", "Azure Service Bus"],
    ["elasticbeanstalk.com.", "AWS Elastic Beanstalk"],
    ["s3.amazonaws.com.", "Amazon S3"],
    ["github.io.", "GitHub Pages"],
    ["bitbucket.io.", "Bitbucket"],
    ["ghost.io.", "Ghost"],
    ["helpjuice.com.", "Helpjuice"],
    ["helpscoutdocs.com.", "Help Scout"],
    ["ngrok.io.", "ngrok"],
    ["readme.io.", "ReadMe"],
    ["surge.sh.", "Surge"],
    ["wordpress.com.", "WordPress.com"],
    ["worksites.net.", "Worksites"],
  ] as const
).map(([suffix, service]) => [readName(suffix), service]);
